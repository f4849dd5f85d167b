import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { deleteDeviceToken } from '#shared/domain/identity/device-tokens/delete.ts';
import type { DeviceToken } from '#shared/domain/identity/device-tokens/device-token.ts';
import { listDeviceTokens } from '#shared/domain/identity/device-tokens/store.ts';
import { unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustExist } from '#shared/table/table.ts';
import { planMails } from '../mails/plan.ts';
import { type DuePush, type SendingJob, wantsPush } from '../sending/job.ts';
import type { Message } from '../sending/message.ts';
import { stillDue, type Told } from '../sending/told.ts';
import { PushRefused, type PushService, type SendsPushes } from './service.ts';

/** Sends the notifications of a job to the devices of their users (docs/decisions/0065-push-messages.md). */

type Pushing = Context<SeesRecords & SendsPushes>;

/** Milliseconds before a call to a push service is aborted. */
const PATIENCE = 10_000;
const USERS_AT_ONCE = 10;
/** Later, a message is not worth sending. */
const MAX_TRIES = 5;
/** Milliseconds: the last use of a device is known to the hour, so that most messages cost no write. */
const HOUR = 3_600_000;

async function markUsed({ table, now }: Context, device: DeviceToken): Promise<void> {
  if (device.last_used_at !== null && now.getTime() - Date.parse(device.last_used_at) < HOUR) return;
  const { user_id } = device;
  const set = { last_used_at: now.toISOString() };
  await table.update<DeviceToken>(keyOf(device), { set, when: { user_id } }, 'NONE').catch((error) => {
    // It was deleted, or moved to another user.
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

/** False when the service may take the message later. */
async function sendTo(
  ctx: Pushing,
  service: PushService,
  device: DeviceToken,
  message: Message,
): Promise<boolean> {
  const { id: device_id, platform } = device;
  try {
    const outcome = await service.send(device.token, message, AbortSignal.timeout(PATIENCE));
    await (outcome === 'gone' ? deleteDeviceToken(ctx.table, device) : markUsed(ctx, device));
    return true;
  } catch (error) {
    getLogger().warn('push message refused', { device_id, platform, error: describeError(error) });
    return error instanceof PushRefused;
  }
}

/** What is left for later; undefined when nothing is. */
async function pushOne(ctx: Pushing, { due, user, message }: Told<DuePush>): Promise<DuePush | undefined> {
  const services = ctx.ports.push_services(ctx.config);
  const { device_ids } = due;
  const devices = (await listDeviceTokens(ctx.table, user)).filter(
    ({ id }) => device_ids === undefined || device_ids.includes(id),
  );
  const sent = await Promise.all(
    devices.map((device) => {
      const service = services[device.platform];
      return service ? sendTo(ctx, service, device, message) : true;
    }),
  );
  const left = devices.filter((_, i) => !sent[i]).map(({ id }) => id);
  return left.length > 0 ? { ...due, device_ids: left } : undefined;
}

/** Throws TryLater while something is left; after the last try it is given up. */
async function pushAll(ctx: Pushing, job: SendingJob): Promise<void> {
  const key = keyOf(job);
  const { account_id, due_pushes: due } = job;
  const told = await stillDue(ctx, { account_id, due, wants: wantsPush });
  const tried = await mapAtOnce(told, USERS_AT_ONCE, (push) => pushOne(ctx, push));
  const due_pushes = tried.filter((due) => due !== undefined);
  const tries = (job.tries ?? 0) + 1;
  if (due_pushes.length === 0 || tries >= MAX_TRIES) return ctx.table.delete(key);
  await unlessOvertaken(
    ctx.table.update<SendingJob>(key, { set: { due_pushes, tries }, when: mustExist }, 'NONE'),
  );
  throw new TryLater('Push services took no message');
}

/** Plans the mails of a job first, in one transaction: no push service delays them. */
export async function sendNotifications(ctx: Pushing, job_id: string): Promise<void> {
  const job = await ctx.table.get<SendingJob>(keys.job(job_id));
  if (job?.due_mails) await planMails(ctx, job, job.due_mails);
  if (job && job.due_pushes.length > 0) await pushAll(ctx, job);
}
