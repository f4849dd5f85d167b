import * as z from 'zod';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { TaggableType } from '#shared/domain/collaboration/records/types.ts';
import { planTagging } from '#shared/domain/collaboration/tags/apply.ts';
import { requireTag } from '#shared/domain/collaboration/tags/policy.ts';
import { planUntagging } from '#shared/domain/collaboration/tags/remove.ts';
import { tagNames } from '#shared/domain/collaboration/tags/store.ts';
import { readTagChoice, type TagChoice, tagChoice } from '#shared/domain/collaboration/tags/tagging.ts';
import { readCarried } from '#shared/domain/collaboration/tags/taggings.ts';
import { type Action, type ActionContext, notUndoable } from './action.ts';
import { describeTag, targetHint, targetOf, targetParams } from './tag-target.ts';

const paramsOn = (types: readonly TaggableType[]) => z.object({ ...targetParams(types), ...tagChoice });

type Params = z.output<ReturnType<typeof paramsOn>>;

/** The tag's name, and its id once it exists. */
async function findChoice(ctx: ActionContext, choice: TagChoice) {
  if ('tag_id' in choice) {
    const { id, name } = await requireTag(ctx, choice.tag_id);
    return { tag_id: id, name };
  }
  const ids = await tagNames.find(ctx.table, ctx.caller.account.id, [choice.name]);
  return { tag_id: ids.get(choice.name) ?? null, name: choice.name };
}

const applying: Omit<Action<Params>, 'params' | 'params_hint'> = {
  merge(own, changes) {
    const { tag_id, tag, ...target } = own;
    const another = 'tag_id' in changes || 'tag' in changes;
    return { ...target, ...(another ? {} : { tag_id, tag }), ...changes };
  },

  async prepare(ctx, own) {
    const [target, choice] = [targetOf(own), readTagChoice(own)];
    const [record, { tag_id, name }] = await Promise.all([
      requireVisible(ctx, target),
      findChoice(ctx, choice),
    ]);
    const ref = { type: own.record_type, id: record.id };
    return {
      record: ref,
      base_updated_at: null,
      tag_id,
      display: describeTag('tag.apply', record, name),
      apply: async () => {
        const { applied, ...change } = await planTagging(ctx, target, choice);
        const undo = change.writes.length > 0 ? { tagging_id: applied.tagging.id } : null;
        return { ...change, applied: ref, undo, tag_id: applied.tag.id };
      },
    };
  },

  /** The tag itself stays, even if it was created for this. */
  async undo(ctx, proposal) {
    const target = targetOf(JSON.parse(proposal.params));
    const record = { ...target, id: (await requireVisible(ctx, target)).id };
    const tag_id = proposal.tag_id ?? '';
    const [tagging, ...others] = (await readCarried(ctx, record, tag_id)).taggings;
    const { tagging_id } = JSON.parse(proposal.undo ?? '{}');
    if (!tagging || tagging.id !== tagging_id || others.length > 0) throw notUndoable();
    const { more, ...change } = await planUntagging(ctx, record, tag_id);
    if (more) throw notUndoable();
    return change;
  },
};

/** Its parameters are the record and the tag, by its id or by its name, which creates a missing tag. */
export function tagApply(types: readonly TaggableType[]): Action<Params> {
  const params_hint = `{${targetHint(types)}, tag_id or tag: {name}}`;
  return { ...applying, params: paramsOn(types), params_hint };
}
