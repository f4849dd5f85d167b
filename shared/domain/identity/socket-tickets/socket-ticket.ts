import * as z from 'zod';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { derived, given, resource } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp } from '#shared/values.ts';

const tickets = resource('SocketTicket', {
  ticket: derived(z.string().meta({ example: 'wst_3vQm8Yb1ZK4n2Hc9...' })),
  url: derived(z.string().meta({ example: 'wss://abc123.execute-api.eu-west-1.amazonaws.com/prod' })),
  expires_at: given(timestamp),
});

/** What a socket is opened with, and lives as long as. */
export type Holder = {
  account_id: string;
  user_id: string;
  credential: Pick<Caller['credential'], 'kind' | 'id'> & {
    /** Of an API key: the hash that it is stored under. */
    hash?: string;
  };
};

/** A ticket as stored, under the hash of its text. */
export type SocketTicket = Item & Holder & { expires_at: string; expires_epoch: number };

/** docs/specification/views.md, "Live updates". */
export const socketTicketSchema = tickets.response;

export const presentTicket = (ticket: SocketTicket, text: string, url: string) =>
  tickets.present(ticket, { ticket: text, url });
