import { randomUUID } from 'node:crypto';
import type { OneTimeCode } from '#shared/domain/identity/codes/code.ts';
import { createCode } from '#shared/domain/identity/codes/create.ts';
import { issueCode } from '#shared/domain/identity/codes/issue.ts';
import { keys } from '#shared/table/keys.ts';
import type { Workspace } from './workspace.ts';

/** An address that no other test uses. */
export const newAddress = () => `${randomUUID()}@signin.example`;

/** A code for the address, as it is mailed. */
export async function givenCode({ ctx, table }: Workspace, email_address: string): Promise<string> {
  const now = ctx.now;
  await createCode({ ...ctx, now }, email_address);
  const asked = await table.get<OneTimeCode>(keys.oneTimeCode(email_address));
  const code = await issueCode({ ...ctx, now }, { email_address, code_id: asked?.code_id ?? '' });
  if (code === undefined) throw new Error('There is no code');
  return code;
}

/** Another code than this one. */
export const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
