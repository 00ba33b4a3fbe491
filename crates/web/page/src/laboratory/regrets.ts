// Regrets put in order, and as a file.
import type { BanditResults, Measured } from './report';
import type { Schemas } from '../lib/api';

/** The best cell of each series of each panel. Bars over settings of arms have no best: each is a question of its own. */
export function best(results: BanditResults): { panel: string; where: string; cell: Measured }[] {
  return results.panels.flatMap((panel) => {
    const series = [...new Set(panel.cells.map((cell) => cell.series))];
    return series.flatMap((name) => {
      const cells = panel.cells.filter((cell) => cell.series === name);
      const alike = cells.every((cell) => cell.arms === cells[0]?.arms);
      const least = cells.reduce<Measured[]>((found, cell) => (found[0] && found[0].regret <= cell.regret ? found : [cell]), []);
      return (alike ? least : cells).map((cell) => ({ panel: panel.title, where: alike ? `${panel.label} = ${cell.group}` : cell.group, cell }));
    });
  });
}

export type Row = Schemas['BanditRows']['rows'][number];

/** The rows as comma-separated values. Specs may have commas, so texts stand in quotes. */
export function csv(arms: string, rows: Row[]): string {
  const text = (value: string): string => `"${value.replaceAll('"', '""')}"`;
  const lines = rows.map((row) => [text(arms), text(row.policy), row.budget, row.runs, row.regret, row.se, row.wrong, row.cumulative].join(','));
  return ['arms,policy,budget,runs,regret,se,wrong,cumulative', ...lines, ''].join('\n');
}
