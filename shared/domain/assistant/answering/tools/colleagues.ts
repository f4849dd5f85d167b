import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { UserView } from '../views.ts';
import type { ToolContext } from './context.ts';

/** More do not fit into what a language model reads. */
const USERS = 200;

/** The active users of the account, the user who asks too. */
export async function colleagues({ table, caller }: ToolContext): Promise<UserView[]> {
  const users = await listUsers(table, caller.account.id);
  const active = users.filter(({ status }) => status === 'active').slice(0, USERS);
  return active.map(({ id, name, email_address }) => ({ id, name, email_address }));
}
