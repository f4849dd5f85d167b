import * as z from 'zod';
import { commentSchema } from '#shared/domain/collaboration/comments/comment.ts';
import { type OwnedItem, presentShares, shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { chosenTags } from '#shared/domain/collaboration/tags/tagged-spaces.ts';
import type { SpaceSetup } from '#shared/domain/crm/details/memberships.ts';
import { taskSchema } from '#shared/domain/work/tasks/task.ts';
import {
  apart,
  defaulted,
  derived,
  fixed,
  given,
  required,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import { clearableLine, color, nameText, text, timestamp, uuid } from '#shared/values.ts';

/** Tags of a space. */
const MAX_TAGS = 50;

const kind = z.enum(['records', 'tags']);
const operator = z.enum(['any', 'all']);
const visibility = z.enum(['account', 'private']);
const ids = z.array(uuid);

const spaces = resource('Space', {
  id: given(uuid),
  user_id: given(uuid.nullable()),
  name: required(nameText(255), z.string().meta({ example: 'Ferry builders' })),
  description: defaulted(
    text(20_000).nullable(),
    null,
    z.string().nullable().meta({ example: 'Yards that we supply' }),
  ),
  color: defaulted(color.nullable(), null, color.nullable()),
  icon: defaulted(clearableLine(64), null, z.string().nullable().meta({ example: '⛴️' })),
  kind: fixed(required(kind, kind)),
  contact_ids: derived(ids.nullable()),
  organization_ids: derived(ids.nullable()),
  tag_ids: apart(defaulted(ids.max(MAX_TAGS), [], ids)),
  tag_operator: defaulted(operator, 'any', operator),
  visibility: defaulted(visibility, 'account', visibility),
  archived: defaulted(z.boolean(), false, z.boolean()),
  thread_count: derived(z.int().nullable()),
  open_task_count: derived(z.int().nullable()),
  shares: derived(z.array(shareSchema).nullable()),
  comments: derived(z.array(commentSchema).nullable()),
  tasks: derived(z.array(taskSchema).nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** A space as stored. Its tags may have been replaced or deleted since. */
export type Space = OwnedItem & SpaceSetup & StoredFields<typeof spaces.fields>;

/** docs/specification/records.md, "Spaces". */
export const spaceSchema = spaces.response;

export type SpaceRecord = z.output<typeof spaceSchema>;

export const spaceDraft = spaces.strictDraft.meta({ id: 'SpaceDraft' });

export type SpaceDraft = z.output<typeof spaceDraft>;

/** Fields that are not sent stay, and `null` clears. */
export const spaceChanges = spaces.changes.meta({ id: 'SpaceChanges' });

export type SpaceChanges = z.output<typeof spaces.writableChanges>;

/** What is stored elsewhere. */
export type SpaceExtras = Pick<
  SpaceRecord,
  'contact_ids' | 'organization_ids' | 'thread_count' | 'open_task_count' | 'comments' | 'tasks'
>;

/** Of a space in a list, or after a change. */
export const noExtras: SpaceExtras = {
  contact_ids: null,
  organization_ids: null,
  thread_count: null,
  open_task_count: null,
  comments: null,
  tasks: null,
};

export function presentSpace(space: Space, dictionary: TagDictionary, extras: SpaceExtras): SpaceRecord {
  return spaces.present(space, {
    ...extras,
    tag_ids: chosenTags(space, dictionary),
    shares: presentShares(space.shares, { type: 'spaces', id: space.id }),
  });
}
