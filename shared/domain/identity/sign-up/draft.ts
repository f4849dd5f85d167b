import * as z from 'zod';
import { proofFields, tokenDelivery } from '#shared/domain/identity/sign-in/way.ts';
import { sentDocuments } from '#shared/domain/identity/terms/assent.ts';
import { ApiError } from '#shared/errors.ts';
import { Fields, parseShape } from '#shared/fields.ts';
import { timeZone } from '#shared/time-zone.ts';
import { emailAddress, nameText, notWritable } from '#shared/values.ts';

/** What only the service says of an account. */
const ofTheService = {
  id: notWritable,
  owner_user_id: notWritable,
  billing: notWritable,
  created_at: notWritable,
  updated_at: notWritable,
};

/** What POST /accounts takes (docs/specification/sign-in.md, "Signing up"). Addresses and terms have codes of their own. */
export const accountDraft = z
  .object({
    name: nameText(255).meta({ example: 'Acme' }),
    email_address: z.string().meta({ format: 'email', example: 'ada@acme.example' }).optional(),
    ...proofFields,
    time_zone: timeZone.optional(),
    signup_token: z.string().trim().optional(),
    documents: sentDocuments,
    acceptance_method: z.string().meta({ example: 'clickwrap' }).optional(),
    token_delivery: tokenDelivery,
    ...ofTheService,
  })
  .meta({ id: 'AccountDraft' });

export type AccountDraft = z.output<typeof accountDraft>;

const addressed = z.object({ email_address: emailAddress });

/** The address in lower case; 400 `invalid_email_address`. */
export function addressOf({ email_address }: Pick<AccountDraft, 'email_address'>): string | undefined {
  if (email_address === undefined) return undefined;
  const fields = new Fields();
  const parsed = parseShape(addressed, { email_address }, fields) as z.output<typeof addressed> | undefined;
  if (!parsed) throw new ApiError('invalid_email_address', { fields: fields.found });
  return parsed.email_address;
}
