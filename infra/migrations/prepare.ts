import type { Table } from '#shared/table/table.ts';
import { DATA_VERSION, migrations } from './all.ts';
import { migrate } from './migrate.ts';
import { misfit } from './version.ts';

/** For a table that nobody else uses: migrates it. Throws when the data is too new for this code. */
export async function prepareData(table: Table): Promise<void> {
  const data = await migrate(table, migrations, console.log);
  const problem = misfit(data, DATA_VERSION);
  if (problem) throw new Error(problem);
}
