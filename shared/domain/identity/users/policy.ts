import type { Config } from '#shared/config.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { findActiveUsers, findUsers } from './store.ts';
import type { User, UserChanges } from './user.ts';

/** All users of an account see one another. Rules for what only the user or an admin may do. */

/** The owner of an account is also an admin. */
export function isAdmin(user: Pick<User, 'role'>): boolean {
  return user.role === 'owner' || user.role === 'admin';
}

/** 403 for everyone except admins. */
export function requireAdmin({ user }: Caller): void {
  if (!isAdmin(user)) throw new ApiError('permission_denied');
}

/** 403 for everyone except owners. */
export function requireOwner({ user }: Caller): void {
  if (user.role !== 'owner') throw new ApiError('permission_denied');
}

/** 404 when one of them is not a user of the account. */
export async function requireUsers(table: Table, account: string, ids: string[]): Promise<User[]> {
  const users = await findUsers(table, account, ids);
  if (users.length < new Set(ids).size) throw recordNotFound();
  return users;
}

/** 404 when it is not an active user of the account. */
export async function requireActiveUser(table: Table, account: string, id: string): Promise<User> {
  const [user] = await findActiveUsers(table, account, [id]);
  if (!user) throw recordNotFound();
  return user;
}

/** 403 for another user of the account, 404 for any other id. */
export async function requireOneself({ table, caller }: CallerContext, id: string): Promise<void> {
  if (id === caller.user.id) return;
  await requireUsers(table, caller.account.id, [id]);
  throw new ApiError('permission_denied');
}

/** The part of user and account that decides. */
interface Asker {
  user: { assistant_enabled: boolean };
  account: { features: { ask_assistant: boolean } };
}

/**
 * Whether the user may ask the assistant: the account has the feature on, the user has not opted out, and the
 * deployment has an assistant (docs/specification/assistant.md, "Who may ask").
 */
export function mayAsk({ user, account }: Asker, { assistant }: Pick<Config, 'assistant'>): boolean {
  return account.features.ask_assistant && user.assistant_enabled && assistant.provider !== 'none';
}

/** Who changes what of a user: users themselves, and admins their rights. */

const administered = ['role', 'status'] as const;

const isAdministered = (name: string) => (administered as readonly string[]).includes(name);

/** The names of the fields that were sent. */
function sentNames(sent: UserChanges): string[] {
  return Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** 403 `api_key_insufficient` for a key that changes rights, whatever its tier and its user. */
export function requireSession({ credential }: Caller, sent: UserChanges): void {
  if (credential.kind !== 'session' && sentNames(sent).some(isAdministered))
    throw new ApiError('api_key_insufficient');
}

/** 403 for settings of others, and for rights when the caller is no admin. */
export function requireChangeable(caller: Caller, user: User, sent: UserChanges): void {
  const names = sentNames(sent);
  const rights = names.filter(isAdministered);
  const only = rights.length > 0 && rights.length === names.length;
  if (user.id !== caller.user.id && !only) throw new ApiError('permission_denied');
  if (rights.length > 0) requireAdmin(caller);
}

/** Only owners make and unmake owners: 403 for admins. */
export function requireOwnerRight(caller: Caller, before: User, after: User): void {
  const touched = before.role !== after.role || before.status !== after.status;
  if (touched && (before.role === 'owner' || after.role === 'owner')) requireOwner(caller);
}
