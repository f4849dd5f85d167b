import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { namedOptions } from './create.ts';
import {
  type CustomField,
  type CustomFieldChanges,
  type CustomFieldRecord,
  presentCustomField,
} from './custom-field.ts';
import { requireManaged } from './policy.ts';
import { requireFitting, requireRoom } from './rules.ts';
import { bringingJob, changeOf } from './writes.ts';

/**
 * Fields that are not sent stay. Values of records stay as they are: options and `required` are for values that are
 * written from then on. 404, 403 and 412 as in `requireManaged`, 400 as in `rules.ts`.
 */
export function updateCustomField(
  ctx: CallerContext,
  id: string,
  sent: CustomFieldChanges,
): Promise<CustomFieldRecord> {
  return retryOnConflict(async () => {
    const { type, set, field: before, place } = await requireManaged(ctx, id);
    const { name, options, required, indexed, position } = sent;
    if (Object.keys(sent).length === 0) return presentCustomField(before, place);
    const { indexing, ...rest } = before;
    const job = indexed !== undefined && indexed !== before.indexed ? bringingJob(ctx, type) : undefined;
    const waits = job && indexed ? job.id : indexing;
    const field: CustomField = {
      ...rest,
      name: name ?? before.name,
      options: options ? namedOptions(options) : before.options,
      required: required ?? before.required,
      indexed: indexed ?? before.indexed,
      updated_at: nextMoment(before, ctx.now),
      ...(waits === undefined ? {} : { indexing: waits }),
    };
    requireFitting(field);
    const fields = set.fields.toSpliced(place, 1).toSpliced(position ?? place, 0, field);
    requireRoom(fields);
    await commit(ctx, changeOf(set, fields, job));
    return presentCustomField(field, fields.indexOf(field));
  });
}
