import { listWaitlist as list } from '#shared/domain/identity/waitlist/store.ts';
import { columns, only } from './columns.ts';
import { command } from './command.ts';
import { oneOf } from './values.ts';

/** What people wrote is shown without characters that control a terminal. */
const plain = (text: string | null) => (text ?? '').replaceAll(/\p{Cc}+/gu, ' ');

export const listWaitlist = command({
  summary: 'Lists who waits for an invitation, and who was invited, oldest first.',
  options: {
    status: {
      placeholder: '<status>',
      about: 'waiting, invited or joined; without it all',
      schema: oneOf(['waiting', 'invited', 'joined']).optional(),
    },
  },
  async run(given, table) {
    const all = await list(table);
    const found = all.filter(({ status }) => given.status === undefined || status === given.status);
    const json = {
      waitlistees: only(
        found,
        ...(['email_address', 'name', 'company_name', 'note', 'status', 'invited_at', 'created_at'] as const),
      ),
    };
    if (found.length === 0) return { json, told: ['Nobody is on the waitlist.'] };
    const rows = found.map(({ email_address, status, created_at, name, company_name }) => [
      ...[created_at.slice(0, 10), status, email_address, plain(name), plain(company_name)],
    ]);
    return { json, result: columns(rows), told: [] };
  },
});
