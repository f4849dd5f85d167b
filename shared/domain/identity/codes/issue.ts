import { randomInt } from 'node:crypto';
import type { Context } from '#shared/context.ts';
import { keys } from '#shared/table/keys.ts';
import { above, ConditionFailed } from '#shared/table/table.ts';
import { hashCode, LIFETIME, type OneTimeCode, type Stated } from './code.ts';

/**
 * Makes the code that was asked for, right before it is mailed: no queue holds it, and the table its hash alone.
 * Undefined when a newer code was asked for, when this one is used, and when nobody waits for it any more. Made again,
 * it replaces the one that could not be mailed.
 */
export async function issueCode(
  { table, config, now }: Context,
  { email_address, code_id }: Omit<Stated, 'code'>,
): Promise<string | undefined> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const at = now.getTime();
  try {
    await table.update<OneTimeCode>(
      keys.oneTimeCode(email_address),
      {
        set: {
          hash: hashCode(config.cursor_keys, { email_address, code_id, code }),
          tries: 0,
          expires_at_ms: at + LIFETIME,
        },
        when: { code_id, expires_at_ms: above(at) },
      },
      'NONE',
    );
    return code;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
