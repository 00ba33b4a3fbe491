// What somebody likes, kept in their own browser.
const KEY = 'tesuji-play';
const usual = { legal: true, comparing: true, slow: !matchMedia('(prefers-reduced-motion: reduce)').matches };

function kept(): Partial<typeof usual> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<typeof usual>;
  } catch {
    return {};
  }
}

export const preferences = $state({ ...usual, ...kept() });

export function remember(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Whoever lets nothing be kept has the usual again next time.
  }
}
