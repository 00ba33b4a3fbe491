// Numbers as people read them, as the reports of the command line write them.

/** A count with commas: 6,182,818. */
export function grouped(count: number): string {
  return decimal(count, 0);
}

/** A number with that many decimals, with commas and a true minus: −1,234.50. */
export function decimal(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return '–';
  const [whole = '0', rest] = fixed(Math.abs(value), decimals).split('.');
  const text = [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...(rest ? [rest] : [])].join('.');
  // Digits that are all zero carry no sign.
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** As `toFixed`, but what lies exactly between two goes to the even one, as in the reports: 6.25 is 6.2. */
function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  const twice = 2 * value * 10 ** decimals;
  // Only numbers that are whole in thousand-and-twenty-fourths lie exactly between; others were rounded to seem so.
  const between = Number.isInteger(1024 * value) && Number.isInteger(twice) && twice % 2 === 1;
  return between && ((twice - 1) / 2) % 2 === 0 ? (Math.floor(twice / 2) / 10 ** decimals).toFixed(decimals) : text;
}

/** A number to four digits: 0.001, 2,048, 10⁻⁴, 2.5×10⁻⁶. */
export function readable(value: number): string {
  if (value === 0 || !Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < 1e7)) return decimal(value, 0);
  const [mantissa = '', power = '0'] = value.toExponential(3).split('e');
  const exponent = Number(power);
  if (exponent >= -3 && exponent < 7) return withoutZeros(decimal(value, Math.max(3 - exponent, 0)));
  const digits = withoutZeros(mantissa).replace('-', '−');
  const ten = `10${superscript(exponent)}`;
  if (digits === '1') return ten;
  return digits === '−1' ? `−${ten}` : `${digits}×${ten}`;
}

/** A number with its 95 % interval, given by half its width, to one digit of the latter, or two where the first is 1
 *  or 2: 0.1537 (0.1525 to 0.1549). */
export function withRange(value: number, half: number | undefined): string {
  if (half === undefined || !(half > 0) || !Number.isFinite(half)) return readable(value);
  const decimals = (of: number): number => {
    const exponent = Math.floor(Math.log10(of));
    return Math.max((of / 10 ** exponent < 2.95 ? 1 : 0) - exponent, 0);
  };
  const told = (scale: number, places: number): string => {
    const [middle, low, high] = [value, value - half, value + half].map((one) => decimal(scale * one, places));
    return `${middle} (${low} to ${high})`;
  };
  const places = decimals(half);
  if (places <= 6) return told(1, places);
  const exponent = Math.floor(Math.log10(Math.max(Math.abs(value), half)));
  return `${told(10 ** -exponent, decimals(half * 10 ** -exponent))}×10${superscript(exponent)}`;
}

/** The ends of an interval around a number. */
export interface Ends {
  low: number;
  high: number;
}

/** An interval: 1.8 to 40.4. */
export function rangeText({ low, high }: Ends): string {
  return `${decimal(low, 1)} to ${decimal(high, 1)}`;
}

/** An interval of shares, in per cent. */
export function shareRange({ low, high }: Ends): string {
  return rangeText({ low: 100 * low, high: 100 * high });
}

/** A share as people read it: 0.442 is 44.2. */
export function percent(share: number): string {
  return decimal(100 * share, 1);
}

/** A time that people wait for: 40 s, 12 min, 3 h 20 min, 5 days. */
export function waiting(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) {
    const tens = Math.round(seconds / 600);
    const [hours, minutes] = [Math.floor(tens / 6), (tens % 6) * 10];
    return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  }
  return `${Math.round(seconds / 86_400)} days`;
}

/** A time that something took: 1.45 s, 3.2 ms. */
export function took(seconds: number): string {
  if (seconds >= 100) return waiting(seconds);
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  return seconds >= 1e-3 ? `${(seconds * 1e3).toFixed(1)} ms` : `${(seconds * 1e6).toFixed(1)} µs`;
}

/** The size of a file. */
export function bytes(count: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
  return power === 0 ? `${count} bytes` : `${decimal(count / 1000 ** power, count / 1000 ** power < 10 ? 1 : 0)} ${units[power]}`;
}

/** A large number in about two digits and a word: 120 million. */
export function roughly(count: number): string {
  const rounded = Number(count.toPrecision(2));
  const words: [number, string][] = [[1e12, 'million million'], [1e9, 'thousand million'], [1e6, 'million']];
  const [size, word] = words.find(([least]) => rounded >= least) ?? [1, ''];
  return word ? `${readable(rounded / size)} ${word}` : grouped(rounded);
}

/** How many of something, in words: one game, 3 games. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** What the service says is wrong, with a capital and a full stop: it answers as a command line does. */
export function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function superscript(number: number): string {
  const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  return [...String(number)].map((digit) => (digit === '-' ? '⁻' : (raised[Number(digit)] ?? digit))).join('');
}
