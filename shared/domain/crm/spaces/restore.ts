import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import { spaceIndex } from './lists.ts';
import { mayDelete, requireDeletableSpace } from './policy.ts';
import type { Space } from './space.ts';
import { besidesOf } from './writes.ts';

export const restorableSpaces: Restorable<Space> = {
  index: spaceIndex,
  links: [],
  mayDelete: ({ caller: { user } }, space) => accessOf(space, user) !== undefined && mayDelete(space, user),
  require: requireDeletableSpace,
  back: async (_, after) => ({ after, writes: besidesOf(undefined, after) }),
};
