import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import { taggable } from '#shared/composition/tagging.ts';
import { tagRecordWith } from '#shared/domain/collaboration/tags/apply.ts';
import {
  presentTagging,
  readTagChoice,
  tagChoice,
  taggingSchema,
} from '#shared/domain/collaboration/tags/tagging.ts';

export const applyTag = route('applyTag', {
  method: 'POST',
  path: onRecord(taggable, 'taggings'),
  access: 'write',
  summary: 'Apply a tag to a record',
  description:
    'Send either `tag_id` or `tag`. A tag sent by name is created when it does not exist; the color is ' +
    'used only then. For a tag that the record already has, returns the existing tagging.',
  body: tagChoice,
  examples: { body: { tag: { name: 'Renewal', color: '#2F6FED' } } },
  returns: { 200: { tagging: taggingSchema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records'],
});

export const handler = handle(
  applyTag,
  async ({ ctx, record, body }) => {
    const { tagging, tag } = await tagRecordWith(ctx, record, readTagChoice(body));
    return { tagging: presentTagging(tagging, tag) };
  },
  { ...keeping, ...lists },
);
