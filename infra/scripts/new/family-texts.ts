import type { Texts } from './files.ts';
import type { FamilyNames } from './names.ts';

/**
 * The files of a new family of records. Every family has these roles: the model with its one list of fields, the policy
 * (who sees and changes a record), the store (reading), and a file for each verb.
 */

const model = (n: FamilyNames) => `import * as z from 'zod';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { defaulted, given, required, resource, type StoredFields } from '#shared/resource.ts';
import { nameText, text, timestamp, uuid } from '#shared/values.ts';

const about = {
  name: { description: 'What people call it.' },
  description: { description: 'What people say about it; null when they say nothing.' },
};

const ${n.variables} = resource('${n.type}', {
  id: given(uuid),
  user_id: given(uuid.meta({ description: 'Who created it.' })),
  name: required(nameText(255).meta(about.name), z.string().meta(about.name)),
  description: defaulted(
    text(20_000).nullable().meta(about.description),
    null,
    z.string().nullable().meta(about.description),
  ),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
}, { description: 'A ${n.words} of the account.' });

/** A ${n.words} as stored. \`list\` and \`rank\` put it in the account's list. */
export type ${n.type} = RecordItem &
  StoredFields<typeof ${n.variables}.fields> & { account_id: string; list: string; rank: string };

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

const policy = (n: FamilyNames) => `import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { ${n.type} } from './${n.file}.ts';

/** Whether the user sees the ${n.words}, and so may change it: every user of its account. */
export function sees${n.type}(${n.variable}: ${n.type}, user: Pick<User, 'account_id'>): boolean {
  return ${n.variable}.account_id === user.account_id;
}

/** A ${n.words} that the caller sees. */
export async function load${n.type}({ table, caller }: CallerContext, id: string): Promise<${n.type} | undefined> {
  const ${n.variable} = await table.get<${n.type}>(keys.record('${n.family}', id));
  return isThere(${n.variable}) && sees${n.type}(${n.variable}, caller.user) ? ${n.variable} : undefined;
}

/** 404 for any other. */
export async function require${n.type}(ctx: CallerContext, id: string): Promise<${n.type}> {
  const ${n.variable} = await load${n.type}(ctx, id);
  if (!${n.variable}) throw recordNotFound();
  return ${n.variable};
}
`;

const store = (n: FamilyNames) => `import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { lists } from '#shared/table/keys.ts';
import type { ${n.type} } from './${n.file}.ts';

/** A page, newest first. \`after\` is the rank of the last ${n.words} of the previous page. */
export async function list${n.types}(
  { table, caller }: CallerContext,
  after: string | undefined,
  limit: number,
): Promise<{ ${n.variables}: ${n.type}[]; next: string | null }> {
  const { items } = await table.query<${n.type}>({
    index: 'by_rank',
    partition: lists.${n.variables}(caller.account.id),
    sort: after === undefined ? undefined : { before: after },
    newest_first: true,
    limit: limit + 1,
  });
  const ${n.variables} = items.slice(0, limit);
  return { ${n.variables}, next: items.length > limit ? (${n.variables}.at(-1)?.rank ?? null) : null };
}
`;

const create = (n: FamilyNames) => `import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { keys, lists } from '#shared/table/keys.ts';
import { mustNotExist } from '#shared/table/table.ts';
import type { ${n.type}, ${n.type}Draft } from './${n.file}.ts';

export async function create${n.type}(
  { table, caller, now }: CallerContext,
  draft: ${n.type}Draft,
): Promise<${n.type}> {
  const id = newId(now);
  const ${n.variable}: ${n.type} = {
    ...keys.record('${n.family}', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    list: lists.${n.variables}(caller.account.id),
    rank: id,
    ...draft,
    created_at: now.toISOString(),
    updated_at: null,
  };
  await table.put(${n.variable}, mustNotExist);
  return ${n.variable};
}
`;

const update = (n: FamilyNames) => `import { isLive } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { ${n.type}, ${n.type}Changes } from './${n.file}.ts';
import { require${n.type} } from './policy.ts';

/** Fields that are not sent stay. 404 when the caller does not see it. */
export function update${n.type}(ctx: CallerContext, id: string, changes: ${n.type}Changes): Promise<${n.type}> {
  return retryOnConflict(async () => {
    await require${n.type}(ctx, id);
    return ctx.table.update<${n.type}>(keys.record('${n.family}', id), {
      set: { ...changes, updated_at: ctx.now.toISOString() },
      when: isLive,
    });
  });
}
`;

const remove = (
  n: FamilyNames,
) => `import { announceDeletion } from '#shared/domain/collaboration/life/end.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { require${n.type} } from './policy.ts';

/** Nobody finds it from then on; a job removes its comments, tags and other dependents. 404 when the caller does not see it. */
export function delete${n.type}(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    await require${n.type}(ctx, id);
    await commit(ctx, announceDeletion({ type: '${n.family}', id }, ctx.now));
  });
}
`;

const kind = (
  n: FamilyNames,
) => `import type { RecordKind } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import type { ${n.type} } from './${n.file}.ts';
import { load${n.type}, sees${n.type} } from './policy.ts';

/** A ${n.words} as a record with comments, tags and notifications. */
export const ${n.variable}Kind: RecordKind = {
  async load(ctx, id) {
    const ${n.variable} = await load${n.type}(ctx, id);
    return (
      ${n.variable} && {
        type: '${n.family}',
        id: ${n.variable}.id,
        label: { name: ${n.variable}.name },
        owner_ids: [${n.variable}.user_id],
        tag_ids: [...(${n.variable}.tag_ids ?? [])],
      }
    );
  },

  async seenBy(table, id, users) {
    const ${n.variable} = await table.get<${n.type}>(keys.record('${n.family}', id));
    return isThere(${n.variable}) ? users.filter((user) => sees${n.type}(${n.variable}, user)).map((user) => ({ user })) : [];
  },
};
`;

export function familyTexts(n: FamilyNames, context: string): Texts {
  const folder = `shared/domain/${context}/${n.folder}`;
  return {
    [`${folder}/${n.file}.ts`]: model(n),
    [`${folder}/policy.ts`]: policy(n),
    [`${folder}/store.ts`]: store(n),
    [`${folder}/create.ts`]: create(n),
    [`${folder}/update.ts`]: update(n),
    [`${folder}/delete.ts`]: remove(n),
    [`${folder}/kind.ts`]: kind(n),
  };
}
