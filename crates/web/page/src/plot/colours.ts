// Colours and markers of series. A canvas does not know CSS names, so they are read from the page.

export const N_COLOURS = 8;

export const MARKERS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'turned', 'plus', 'ring'] as const;
export type Marker = (typeof MARKERS)[number];

export function marker(colour: number): Marker {
  return MARKERS[colour % MARKERS.length] ?? 'circle';
}

/** The CSS name of a series' colour. */
export function token(colour: number): string {
  return `--series-${(colour % N_COLOURS) + 1}`;
}

export interface Colours {
  ink: string;
  quiet: string;
  line: string;
  card: string;
  series: string[];
}

/** The colours as they are now, light or dark, at this element. */
export function colours(at: HTMLElement): Colours {
  const probe = document.createElement('span');
  at.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const found = {
    ink: read('--ink'),
    quiet: read('--quiet'),
    line: read('--line'),
    card: read('--card'),
    series: Array.from({ length: N_COLOURS }, (_, number) => read(token(number))),
  };
  probe.remove();
  return found;
}
