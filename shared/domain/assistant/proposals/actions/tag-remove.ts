import * as z from 'zod';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { TaggableType } from '#shared/domain/collaboration/records/types.ts';
import { planTagging } from '#shared/domain/collaboration/tags/apply.ts';
import { requireTag } from '#shared/domain/collaboration/tags/policy.ts';
import { planUntagging } from '#shared/domain/collaboration/tags/remove.ts';
import type { TaggableRef } from '#shared/domain/collaboration/tags/taggings.ts';
import { type Change, commit } from '#shared/domain/platform/jobs/commit.ts';
import { uuid } from '#shared/values.ts';
import { type Action, type ActionContext, notUndoable } from './action.ts';
import { describeTag, targetHint, targetOf, targetParams } from './tag-target.ts';

const paramsOn = (types: readonly TaggableType[]) => z.object({ ...targetParams(types), tag_id: uuid });

type Params = z.output<ReturnType<typeof paramsOn>>;

/** The last of the transactions, which removes the tag itself; earlier ones remove tags that it replaced. */
async function lastRemoval(ctx: ActionContext, target: TaggableRef, tag_id: string): Promise<Change> {
  const { more, ...change } = await planUntagging(ctx, target, tag_id);
  if (!more) return change;
  await commit(ctx, change);
  return lastRemoval(ctx, target, tag_id);
}

const removing: Omit<Action<Params>, 'params' | 'params_hint'> = {
  async prepare(ctx, own) {
    const { tag_id } = own;
    const target = targetOf(own);
    const [record, { name }] = await Promise.all([requireVisible(ctx, target), requireTag(ctx, tag_id)]);
    const ref = { type: own.record_type, id: record.id };
    return {
      record: ref,
      base_updated_at: null,
      tag_id,
      display: describeTag('tag.remove', record, name),
      apply: async () => {
        const change = await lastRemoval(ctx, target, tag_id);
        return { ...change, applied: ref, undo: change.writes.length > 0 ? {} : null, tag_id };
      },
    };
  },

  async undo(ctx, proposal) {
    const target = targetOf(JSON.parse(proposal.params));
    const choice = { tag_id: proposal.tag_id ?? '' };
    const { applied: _, ...change } = await planTagging(ctx, target, choice);
    if (change.writes.length === 0) throw notUndoable();
    return change;
  },
};

/** Its parameters are the record and the id of the tag. */
export function tagRemove(types: readonly TaggableType[]): Action<Params> {
  return { ...removing, params: paramsOn(types), params_hint: `{${targetHint(types)}, tag_id}` };
}
