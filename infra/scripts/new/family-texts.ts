import type { Texts } from './files.ts';
import type { FamilyNames } from './names.ts';

/**
 * The files of a new family of records. Every family has these roles: the model with its one list of fields, the policy
 * (who sees and changes a record), its lists and their filters, and a file for each verb.
 */

const model = (n: FamilyNames) => `import * as z from 'zod';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { defaulted, given, required, resource, type StoredFields } from '#shared/resource.ts';
import { nameText, text, timestamp, uuid } from '#shared/values.ts';

const about = {
  name: { description: 'What people call it.' },
  description: { description: 'What people say about it; null when they say nothing.' },
  visibility: { description: 'Who sees it: everybody, or its owner and those it is shared with.' },
};

const visibility = z.enum(['account', 'private']).meta(about.visibility);

const ${n.variables} = resource('${n.type}', {
  id: given(uuid),
  user_id: given(uuid.meta({ description: 'Who created it.' })),
  name: required(nameText(255).meta(about.name), z.string().meta(about.name)),
  description: defaulted(
    text(20_000).nullable().meta(about.description),
    null,
    z.string().nullable().meta(about.description),
  ),
  visibility: defaulted(visibility, 'account', visibility),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
}, { description: 'A ${n.words} of the account.' });

/** A ${n.words} as stored. */
export type ${n.type} = ListedItem & StoredFields<typeof ${n.variables}.fields>;

export const ${n.variable}Schema = ${n.variables}.response;
export const ${n.variable}Draft = ${n.variables}.draft.meta({
  id: '${n.type}Draft',
  description: 'A ${n.words} to create.',
});
export const ${n.variable}Changes = ${n.variables}.changes.meta({
  id: '${n.type}Changes',
  description: 'Changes of a ${n.words}: fields that are not sent stay.',
});

export type ${n.type}Draft = z.output<typeof ${n.variable}Draft>;
export type ${n.type}Changes = Pick<z.output<typeof ${n.variable}Changes>, (typeof ${n.variables}.writable)[number]>;

export function present${n.type}(${n.variable}: ${n.type}): z.input<typeof ${n.variable}Schema> {
  return ${n.variables}.present(${n.variable}, {});
}
`;

const policy = (
  n: FamilyNames,
) => `import { requireEditable, requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { ${n.type} } from './${n.file}.ts';

/** 404 for a ${n.words} that the caller does not see. */
export const require${n.type} = (ctx: CallerContext, id: string) => requireRecord<${n.type}>(ctx, '${n.family}', id);

/** A ${n.words} that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at. */
export const requireEditable${n.type} = (ctx: CallerContext, id: string) =>
  requireEditable<${n.type}>(ctx, '${n.family}', id);
`;

const lists = (
  n: FamilyNames,
) => `import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import { namedOrders } from '#shared/domain/collaboration/record-lists/orders.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import type { ${n.type} } from './${n.file}.ts';

/** The lists of ${n.words}s (docs/decisions/0035). */
export const ${n.variable}Index: RecordIndex<${n.type}> = {
  type: '${n.family}',
  orders: namedOrders,
  noted_moments: ['created', 'written'],
  words_by: 'name',
  words: ({ name }) => wordsOf(name),
  lists: ({ user_id }) => [ownerList(user_id)],
  personal: () => [],
  users: () => [],
};
`;

const filters = (n: FamilyNames) => `import * as z from 'zod';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { recordCriteria, recordFilters, sliceCriteria } from '#shared/domain/collaboration/record-lists/filters.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ${n.variable}Index } from './lists.ts';
import type { ${n.type} } from './${n.file}.ts';

/** The query parameters that list ${n.words}s (docs/specification/records.md, "Lists of records"). */

export const ${n.variable}Filters = {
  slice: z
    .enum(['all', 'mine', 'shared', 'recent'])
    .optional()
    .meta({ description: 'mine: owned by the user; shared: with the user; recent: written within 14 days' }),
  ...recordFilters,
};

export type ${n.type}Filters = z.output<z.ZodObject<typeof ${n.variable}Filters>>;

/** 404 for a tag that the account does not have. */
export async function ${n.variable}Criteria(
  ctx: CallerContext,
  filters: ${n.type}Filters,
  tags: Promise<TagDictionary>,
): Promise<Criterion<${n.type}>[]> {
  const index = ${n.variable}Index;
  const common = recordCriteria(ctx, filters, { index, tags });
  return [...sliceCriteria(filters.slice, ctx, { index }), ...(await Promise.all(common)).flat()];
}
`;

const create = (
  n: FamilyNames,
) => `import { recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { ${n.variable}Index } from './lists.ts';
import type { ${n.type}, ${n.type}Draft } from './${n.file}.ts';

export async function create${n.type}(ctx: CallerContext<KeepsLists>, draft: ${n.type}Draft): Promise<${n.type}> {
  const { caller, now } = ctx;
  const id = newId(now);
  const after: ${n.type} = {
    ...keys.record('${n.family}', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    ...draft,
    created_at: now.toISOString(),
    updated_at: null,
    shares: {},
  };
  await commit(ctx, await recordChange(ctx, ${n.variable}Index, { before: undefined, after, besides: [] }));
  return after;
}
`;

const update = (
  n: FamilyNames,
) => `import { afterChange, recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ${n.variable}Index } from './lists.ts';
import type { ${n.type}, ${n.type}Changes } from './${n.file}.ts';
import { requireEditable${n.type} } from './policy.ts';

/** What was sent. */
function sentOf(changes: ${n.type}Changes): Partial<${n.type}> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Fields that are not sent stay. 404 for a hidden one, 403 for one that the caller may only look at. */
export function update${n.type}(
  ctx: CallerContext<KeepsLists>,
  id: string,
  changes: ${n.type}Changes,
): Promise<${n.type}> {
  return retryOnConflict(async () => {
    const before = await requireEditable${n.type}(ctx, id);
    if (changes.visibility) requireVisibilityRight(before, ctx.caller.user, changes.visibility);
    const after = afterChange(before, { ...before, ...sentOf(changes) }, ctx.now);
    if (after !== before)
      await commit(ctx, await recordChange(ctx, ${n.variable}Index, { before, after, besides: [] }));
    return after;
  });
}
`;

const remove = (
  n: FamilyNames,
) => `import { recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ${n.variable}Index } from './lists.ts';
import { requireEditable${n.type} } from './policy.ts';

/** Nobody finds it from then on; a job removes its comments, tags and other dependents. 404 and 403 as for a change. */
export function delete${n.type}(ctx: CallerContext<KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const ${n.variable} = await requireEditable${n.type}(ctx, id);
    await commit(ctx, await recordDeletion(ctx, ${n.variable}Index, ${n.variable}, []));
  });
}
`;

export function familyTexts(n: FamilyNames, context: string): Texts {
  const folder = `shared/domain/${context}/${n.folder}`;
  return {
    [`${folder}/${n.file}.ts`]: model(n),
    [`${folder}/policy.ts`]: policy(n),
    [`${folder}/lists.ts`]: lists(n),
    [`${folder}/filters.ts`]: filters(n),
    [`${folder}/create.ts`]: create(n),
    [`${folder}/update.ts`]: update(n),
    [`${folder}/delete.ts`]: remove(n),
  };
}
