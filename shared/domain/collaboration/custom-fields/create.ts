import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireAdmin } from '#shared/domain/identity/users/policy.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist, update, type Write } from '#shared/table/table.ts';
import {
  type CustomField,
  type CustomFieldDraft,
  type CustomFieldRecord,
  presentCustomField,
} from './custom-field.ts';
import { requireFitting, requireRoom } from './rules.ts';
import { readFieldSet } from './store.ts';
import { bringingJob, changeOf } from './writes.ts';

const keyTaken = () =>
  new ApiError('custom_field_key_taken', {
    fields: { key: { code: 'taken', message: 'is the key of another field of the record type' } },
  });

export type Options = CustomField['options'];

/** An option without a name is called by its value. */
export const namedOptions = (options: CustomFieldDraft['options']): Options =>
  options.map(({ value, name = value }) => ({ value, name }));

/** Requests of an account that has never had a definition check no values. */
const marked = ({ caller: { account } }: CallerContext): Write[] =>
  account.has_custom_fields
    ? []
    : [update<Account>(keys.account(account.id), { set: { has_custom_fields: true }, when: mustExist })];

/** 409 `custom_field_key_taken`; 400 as in `rules.ts`. The writes of `also` are in the same transaction. */
export function createCustomField(
  ctx: CallerContext,
  { position, ...draft }: CustomFieldDraft,
  also: (field: CustomFieldRecord) => Write[],
): Promise<CustomFieldRecord> {
  const { account, user } = ctx.caller;
  requireAdmin(ctx.caller);
  const type = draft.record_type;
  const job = draft.indexed || draft.unique ? bringingJob(ctx, type) : undefined;
  const field: CustomField = {
    ...draft,
    options: namedOptions(draft.options),
    id: newId(ctx.now),
    user_id: user.id,
    created_at: ctx.now.toISOString(),
    updated_at: null,
    ...(job ? { indexing: job.id } : {}),
  };
  requireFitting(field);
  return retryOnConflict(async () => {
    const set = await readFieldSet(ctx.table, account.id, type);
    if (set.fields.some(({ key }) => key === field.key)) throw keyTaken();
    const fields = set.fields.toSpliced(position ?? set.fields.length, 0, field);
    requireRoom(fields);
    const created = presentCustomField(field, fields.indexOf(field));
    await commit(ctx, together(changeOf(set, fields, job), [...marked(ctx), ...also(created)]));
    return created;
  });
}
