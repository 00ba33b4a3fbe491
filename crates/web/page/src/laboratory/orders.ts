// The bandit form: what stands in it at first, and what is made of it.
import type { BanditOrder } from './shell';

export interface Fields {
  /** A spec of the catalog; nothing where it is typed. */
  arms: string;
  /** How many arms, where the spec says so: the 20 of N:20. */
  count: number | null;
  typedArms: string;
  policies: string[];
  /** More policies, one a line. */
  typedPolicies: string;
  budgets: string;
  runs: number | null;
  noise: number | null;
  rate: number | null;
  seed: number | null;
}

/** Arms and policies with which pressing Start at once shows what this is about: halving beats UCB1 clearly. */
export function defaults(arms: string[], policies: string[]): Fields {
  const wanted = ['sh', 'ucb1', 'uniform'].filter((policy) => policies.includes(policy));
  return {
    arms: arms.find((spec) => spec.startsWith('uniform:')) ?? arms[0] ?? '',
    count: 32,
    typedArms: '',
    policies: wanted.length > 0 ? wanted : policies.slice(0, 2),
    typedPolicies: '',
    budgets: '32, 64, 128, 256, 512, 1024, 2048',
    runs: 10_000,
    noise: null,
    rate: null,
    seed: 1,
  };
}

/** What the form asks for, or a sentence that says what is missing. The service judges the specs. */
export function read(fields: Fields): BanditOrder | string {
  if (isCounted(fields.arms) && !(fields.count !== null && Number.isInteger(fields.count) && fields.count > 0)) return 'The number of arms is a whole number above 0.';
  const arms = (fields.arms ? counted(fields.arms, fields.count) : fields.typedArms).trim();
  if (!arms) return 'Choose arms, or type some, such as N:80 or [0.5,0.4].';
  const typed = fields.typedPolicies.split('\n').map((line) => line.trim());
  const policies = [...new Set([...fields.policies, ...typed.filter(Boolean)])];
  if (policies.length === 0) return 'Choose at least one policy.';
  const words = fields.budgets.split(/[\s,;]+/).filter(Boolean);
  const wrong = words.find((word) => !/^[1-9]\d{0,14}$/.test(word));
  if (wrong !== undefined) return `'${wrong}' is not a budget: budgets are whole numbers above 0, with commas between them.`;
  const budgets = [...new Set(words.map(Number))].sort((a, b) => a - b);
  if (budgets.length === 0) return 'Give at least one budget, such as 128.';
  if (fields.runs === null || !Number.isInteger(fields.runs) || fields.runs < 1) return 'Runs are a whole number above 0.';
  if (fields.rate !== null && fields.noise === null) return 'A score rate needs a score noise: without it arms have no scores.';
  const seed = fields.seed ?? 1;
  if (!Number.isInteger(seed) || seed < 0 || seed > 4_294_967_295) return 'The seed is a whole number from 0 to 4294967295.';
  return { arms, policies, budgets, runs: fields.runs, score_noise: fields.noise, score_rate: fields.rate, seed };
}

/** Whether a setting takes any number of arms. */
export function isCounted(spec: string): boolean {
  return /^[^:[\]]+:\d+$/.test(spec);
}

function counted(spec: string, count: number | null): string {
  return isCounted(spec) ? spec.replace(/\d+$/, String(count ?? '')) : spec;
}

/** How many samples it asks for, all together. */
export function samples(order: BanditOrder): number {
  return order.budgets.reduce((sum, budget) => sum + budget, 0) * order.policies.length * order.runs;
}
