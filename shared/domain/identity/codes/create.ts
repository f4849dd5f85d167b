import type { Context } from '#shared/context.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { mailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { rateLimited } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, mustNotExist, when } from '#shared/table/table.ts';
import { HOURLY_LIMIT, LIFETIME, type OneTimeCode } from './code.ts';
import { codeMail } from './mail.ts';

const HOUR = 3_600_000;

/** The moments of the last hour. 429 when there are as many as allowed. */
function recent(stored: OneTimeCode | undefined, now: number): number[] {
  const moments = (stored?.asked_at_ms ?? []).filter((moment) => moment > now - HOUR);
  const [oldest = now] = moments;
  if (moments.length >= HOURLY_LIMIT)
    throw rateLimited(
      Math.ceil((oldest + HOUR - now) / 1_000),
      `The limit is ${HOURLY_LIMIT} codes in an hour for an email address.`,
    );
  return moments;
}

/**
 * Asks for a code by mail and ends the older one. The address, in lower case, is not looked up: who is known and who is
 * not is the same work until the answer is sent, and the worker decides who gets a mail. Throws 429.
 */
export async function createCode(ctx: Context, email_address: string): Promise<void> {
  const { table, now } = ctx;
  const at = now.getTime();
  const key = keys.oneTimeCode(email_address);
  // Every conflict is another request that counts, so there are no more conflicts than codes in an hour.
  await retryOnConflict(async () => {
    const stored = await table.get<OneTimeCode>(key);
    const code_id = newId(now);
    const code: OneTimeCode = {
      ...key,
      code_id,
      asked_at_ms: [...recent(stored, at), at],
      expires_at_ms: at + LIFETIME,
      expires_epoch: Math.ceil((at + HOUR) / 1_000),
    };
    const unchanged = stored ? when<OneTimeCode>({ code_id: asRead(stored.code_id) }) : mustNotExist;
    const job = mailJob(codeMail, { email_address, code_id }, now);
    await commit(ctx, { writes: [{ put: code, when: unchanged }], jobs: [job] });
  });
}
