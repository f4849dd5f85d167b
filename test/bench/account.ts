import { randomUUID } from 'node:crypto';
import type { Table } from '#shared/table/table.ts';
import { seedAccount } from '../../infra/local/seed.ts';

/** Addresses are of one user of the service, and a bench has several accounts. */
export const newAddress = (name: string) => `${name}-${randomUUID()}@acme.example`;

/** An account of two users, Ada and Grace. */
export const benchAccount = (table: Table, now: Date) =>
  seedAccount(
    table,
    'Bench',
    [
      { name: 'Ada Lovelace', email_address: newAddress('ada'), role: 'owner' },
      { name: 'Grace Hopper', email_address: newAddress('grace'), role: 'member' },
    ],
    now,
  );
