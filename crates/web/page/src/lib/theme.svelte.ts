// Light, dark, or as the system has it.
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'tesuji-theme';

function kept(): Theme {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export const theme = $state({ value: kept() });

export function apply(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

export function choose(value: Theme): void {
  theme.value = value;
  if (value === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, value);
  apply();
}
