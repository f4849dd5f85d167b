import type { Context } from '#shared/context.ts';
import { keys } from '#shared/table/keys.ts';
import { above, below, present, type Refusal, update, type Write } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { isCode, MAX_TRIES, matches, type OneTimeCode } from './code.ts';

/** A right code, still unused. */
export interface CheckedCode {
  email_address: string;
  code_id: string;
  hash: string;
}

/**
 * Whether it is the code of the address, which is in lower case; undefined when it is not, was used, or was tried too
 * often. The try is counted before the comparison, so no number of requests at once compares more than that. A right
 * code gets its try back: what else is wrong with a request never uses it up.
 */
export async function checkCode(
  { table, config, now }: Context,
  { email_address, code }: { email_address: string; code: string },
): Promise<CheckedCode | undefined> {
  if (!isCode(code)) return undefined;
  const key = keys.oneTimeCode(email_address);
  const tried = await tryUpdate<OneTimeCode>(table, key, {
    add: { tries: 1 },
    when: { hash: present, expires_at_ms: above(now.getTime()), tries: below(MAX_TRIES) },
  });
  const { code_id, hash } = tried ?? {};
  if (code_id === undefined || hash === undefined) return undefined;
  if (!matches(config.cursor_keys, { email_address, code_id, code }, hash)) return undefined;
  const kept = await tryUpdate<OneTimeCode>(table, key, { add: { tries: -1 }, when: { code_id, hash } });
  return kept && { email_address, code_id, hash };
}

/**
 * Uses the code up, in the transaction of what it permits: exactly one transaction does. `refusal` is the error when
 * another one did, or a newer code was asked for meanwhile.
 */
export function useCode({ email_address, code_id, hash }: CheckedCode, refusal: Refusal): Write {
  const used = update<OneTimeCode>(keys.oneTimeCode(email_address), {
    remove: ['code_id', 'hash', 'expires_at_ms', 'tries'],
    when: { code_id, hash },
  });
  return { ...used, otherwise: refusal };
}
