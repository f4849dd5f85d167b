/** Columns of equal width, one row a line. */
export function columns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] as string).length)));
  const line = (row: string[]) => row.map((cell, i) => cell.padEnd(widths[i] as number)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

/** The named fields of each record, for `--json`. */
export function only<T extends object>(records: T[], ...names: (keyof T & string)[]): object[] {
  return records.map((record) => Object.fromEntries(names.map((name) => [name, record[name]])));
}
