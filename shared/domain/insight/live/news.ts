import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { MessageType } from '#shared/domain/identity/sockets/message.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Key } from '#shared/table/keys.ts';
import type { Change } from '#shared/table/stream.ts';
import type { Table } from '#shared/table/table.ts';

/** What a change of an item means to those who listen. */

/** The ids by which a client reads it again, `id` first. */
export type About = { id: string } & Record<string, string>;

/** The connected users of an account. */
export interface Audience {
  table: Table;
  users: readonly User[];
  /** The ids of those who see a record. */
  seers(record: RecordRef): Promise<ReadonlySet<string>>;
}

/** The names of response fields by the id of a user. Who is not named is not told. */
export type Told = ReadonlyMap<string, readonly string[]>;

export type ChangedType = Extract<MessageType, `${string}.changed`>;

export type News =
  /** Of what is one user's alone. */
  | { kind: 'own'; type: ChangedType; about: About; user_id: string; changed: readonly string[] }
  /** Of what several users may see. `account` is its id, or an item with it. */
  | {
      kind: 'shared';
      type: ChangedType;
      about: About;
      account: string | Key;
      told(audience: Audience): Promise<Told> | Told;
    }
  /** The notifications of a user; `created` is the id of a new one. */
  | { kind: 'notifications'; user_id: string; created?: string }
  /** Sockets of an account, or of one of its users, may have to close. */
  | { kind: 'ended'; account_id: string; user_id?: string };

/** Items with keys like this, and what their changes mean. */
export interface LiveKind {
  /** Of the keys: what they begin with. */
  partition: string;
  sort: string;
  /** Only removals matter. */
  removals?: true;
  news(change: Change): News[];
}

/** The same fields for everybody. */
export const toAll = (user_ids: Iterable<string>, changed: readonly string[]): Told =>
  new Map([...user_ids].map((id) => [id, changed]));
