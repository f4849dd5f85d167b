import type { Table } from '#shared/table/table.ts';
import { seedAccount } from '../../infra/local/seed.ts';

/** An account of two users, Ada and Grace. */
export const benchAccount = (table: Table, now: Date) =>
  seedAccount(
    table,
    'Bench',
    [
      { name: 'Ada Lovelace', email_address: 'ada@acme.example', role: 'owner' },
      { name: 'Grace Hopper', email_address: 'grace@acme.example', role: 'member' },
    ],
    now,
  );
