import { listClosed } from '#shared/domain/identity/accounts/closed.ts';
import { ERASING, type ErasingJob } from '#shared/domain/identity/erasing/job.ts';
import { keys } from '#shared/table/keys.ts';
import { columns } from './columns.ts';
import { command } from './command.ts';

/** What the worker does, in words. */
function told(job: ErasingJob | undefined): string[] {
  if (!job) return ['Nothing is being erased.'];
  const { account_ids, pass, erased, clean, sends } = job;
  const accounts = account_ids.length === 1 ? 'one account' : `${account_ids.length} accounts`;
  const step = clean ? 'their files and settings' : `reading ${pass} of the table`;
  return [`Erasing ${accounts}: ${erased} items are gone, now ${step}; message ${sends} of 6.`];
}

export const listClosedAccounts = command({
  summary: 'Lists closed accounts, and how far erasing has come.',
  options: {},
  async run(_, table) {
    const [closed, job] = await Promise.all([listClosed(table), table.get<ErasingJob>(keys.job(ERASING))]);
    const accounts = closed.map(({ account_id, closed_at, erase_at, paying = false }) => ({
      ...{ id: account_id, closed_at, paying },
      erase_at: new Date(erase_at).toISOString(),
      erasing: job?.account_ids.includes(account_id) ?? false,
    }));
    const { pass = null, erased = null } = job ?? {};
    const rows = accounts.map(({ id, closed_at, erase_at, paying, erasing }) => {
      const state = erasing ? 'being erased' : `erased from ${erase_at}`;
      return [id, `closed ${closed_at}`, state, paying ? 'billing is not ended yet' : ''];
    });
    return {
      json: { accounts, erasing: job ? { pass, erased } : null },
      ...(rows.length > 0 ? { result: columns(rows) } : {}),
      told: told(job),
    };
  },
});
