import type { Context } from '#shared/context.ts';
import type { Seer, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { pluralOf } from '#shared/domain/collaboration/records/types.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { loadMarks } from '../moments.ts';
import { isListed, isRead, type Notification } from '../notification.ts';
import { seers } from '../seers.ts';
import { type Due, type PushJob, wantsPush } from './job.ts';
import { messageOf } from './message.ts';
import type { PushMessage } from './service.ts';

/** What is to be pushed now: what the user still wants, may see, and has not read. */

export interface Push {
  due: Due;
  user: User;
  message: PushMessage;
}

type Told = { due: Due; notification: Notification; user: User };

/** Users who see the record of a notification: a mailbox by their access, a proposal always, as it is their own. */
async function seersOf(
  ctx: Context<SeesRecords>,
  { record_type, id }: Notification['payload'],
  users: User[],
): Promise<Seer[]> {
  const type = pluralOf(String(record_type));
  if (type === undefined) return users.map((user) => ({ user }));
  if (type === 'mailboxes')
    return users.filter(({ mailboxes }) => Object.hasOwn(mailboxes, String(id))).map((user) => ({ user }));
  return [...(await seers(ctx, { type, id: String(id) }, users)).values()];
}

async function isStillNew({ table }: Context, { notification, user }: Told): Promise<boolean> {
  const marks = await loadMarks(table, user.id);
  return isListed(notification, marks) && !isRead(notification, marks);
}

/** The notifications that are there, of users who are active and want them pushed. */
async function toldOf(
  { table }: Context,
  { account_id, due_pushes }: PushJob,
): Promise<{ told: Told[]; names: Map<string, string> }> {
  const [account, notifications] = await Promise.all([
    table.get<Account>(keys.account(account_id)),
    table.getMany<Notification>(
      due_pushes.map(({ user_id, notification_id }) => keys.notification(user_id, notification_id)),
    ),
  ]);
  const actors = notifications.flatMap(({ prompting_user_id }) => prompting_user_id ?? []);
  const ids = [...new Set([...due_pushes.map(({ user_id }) => user_id), ...actors])];
  const users = new Map((await findUsers(table, account_id, ids)).map((user) => [user.id, user]));
  const byId = new Map(notifications.map((each) => [each.id, each]));
  const told = due_pushes.flatMap((due) => {
    const [notification, user] = [byId.get(due.notification_id), users.get(due.user_id)];
    if (!notification || user?.status !== 'active' || account?.status !== 'active') return [];
    return wantsPush(user, notification.event) ? [{ due, notification, user }] : [];
  });
  return { told, names: new Map([...users.values()].map(({ id, name }) => [id, name])) };
}

export async function pushesOf(ctx: Context<SeesRecords>, job: PushJob): Promise<Push[]> {
  const { told, names } = await toldOf(ctx, job);
  // Those of one job are nearly always about one record.
  const records = Map.groupBy(
    told,
    ({ notification: { payload } }) => `${payload.record_type} ${payload.id}`,
  );
  const pushes = [...records.values()].map(async (group): Promise<Push[]> => {
    const payload = group[0]?.notification.payload ?? {};
    const users = group.map(({ user }) => user);
    const [seeing, fresh] = await Promise.all([
      seersOf(ctx, payload, users),
      Promise.all(group.map((each) => isStillNew(ctx, each))),
    ]);
    const labels = new Map(seeing.map(({ user, label }) => [user.id, { label }]));
    return group.flatMap(({ due, notification, user }, i) => {
      const seen = labels.get(user.id);
      if (!seen || !fresh[i]) return [];
      const who = names.get(notification.prompting_user_id ?? '');
      return [{ due, user, message: messageOf(notification, { who, label: seen.label }) }];
    });
  });
  return (await Promise.all(pushes)).flat();
}
