import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { invalidField } from '#shared/errors.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  asRead,
  below,
  containing,
  either,
  missing,
  mustExist,
  present,
  sized,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import type { DeviceToken, DeviceTokenDraft } from './device-token.ts';
import { type ReadToken, readToken } from './read-token.ts';

/** Each is sent a message at the same time. */
const MAX_DEVICES = 50;
const HINT = 6;

/** The device as the caller registers it. Of another user's nothing is taken over but the id. */
function registered(
  { caller, now }: CallerContext,
  { platform, name, app_version }: DeviceTokenDraft,
  { id, token, hint }: { id: string; token: string; hint: string },
  before: DeviceToken | undefined,
): DeviceToken {
  const own = before?.user_id === caller.user.id ? before : undefined;
  const moment = now.toISOString();
  return {
    ...keys.deviceToken(id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    platform,
    name: name === undefined ? (own?.name ?? null) : name,
    app_version: app_version === undefined ? (own?.app_version ?? null) : app_version,
    token,
    token_hint: hint,
    last_used_at: own?.last_used_at ?? null,
    created_at: own?.created_at ?? moment,
    updated_at: own ? moment : null,
  };
}

/** 400 for a user who has the maximum number of devices, unless this is one of them. */
function added({ caller: { account, user } }: CallerContext, { id }: DeviceToken): Write {
  const room = either<Set<string>>(missing, sized(below(MAX_DEVICES)), containing(id));
  return {
    ...update<User>(keys.user(account.id, user.id), {
      add: { device_ids: new Set([id]) },
      when: { PK: present, device_ids: room },
    }),
    otherwise: () =>
      invalidField('device_token', 'invalid', `cannot be added: a user has at most ${MAX_DEVICES} devices`),
  };
}

/** A device that moves to another user. */
const taken = ({ account_id, user_id, id }: DeviceToken): Write =>
  update<User>(keys.user(account_id, user_id), { take: { device_ids: new Set([id]) }, when: mustExist });

/** What is known without a read, of users and accounts with devices. */
function marks(ctx: CallerContext, after: DeviceToken, before?: DeviceToken): Write[] {
  const { account, user } = ctx.caller;
  return [
    added(ctx, after),
    ...(before && before.user_id !== user.id ? [taken(before)] : []),
    ...(account.has_devices
      ? []
      : [update<Account>(keys.account(account.id), { set: { has_devices: true }, when: mustExist })]),
  ];
}

/** Apps register at every start. */
const isSame = (before: DeviceToken, after: DeviceToken) =>
  (['user_id', 'name', 'app_version', 'token'] as const).every((name) => before[name] === after[name]);

/** A token is of one user: of another one, of any account, the device moves to the caller. 400 as in `readToken`. */
export async function createDeviceToken(ctx: CallerContext, draft: DeviceTokenDraft): Promise<DeviceToken> {
  const { token, name }: ReadToken = readToken(draft.platform, draft.token);
  const id = idFrom('device token', draft.platform, name);
  return retryOnConflict(async () => {
    const before = await ctx.table.get<DeviceToken>(keys.deviceToken(id));
    const after = registered(ctx, draft, { id, token, hint: name.slice(-HINT) }, before);
    if (before && isSame(before, after)) return before;
    const unread = { user_id: asRead(before?.user_id), updated_at: asRead(before?.updated_at) };
    await ctx.table.transact([{ put: after, when: when<DeviceToken>(unread) }, ...marks(ctx, after, before)]);
    return after;
  });
}
