import type { RecordKind, RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { accessOf, accessThrough } from '#shared/domain/collaboration/records/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { isInMailboxOf, OpenMail, ownersOf } from './carriers.ts';
import type { File } from './file.ts';
import { loadFile, seesLinkAmong } from './policy.ts';

/** Those of the users who see a record that the file is linked to, or a mail that has it. */
async function seenThroughLinks(table: Table, kinds: RecordKinds, file: File, users: User[]) {
  const mail = new OpenMail(table, kinds);
  const [seers, carriers] = await Promise.all([
    Promise.all(file.links.map(({ type, id }) => kinds[type]?.seenBy(table, id, users) ?? [])),
    Promise.all(users.map((user) => mail.of(file, user))),
  ]);
  const readers = users.filter((user, i) => isInMailboxOf(file, user) || (carriers[i]?.length ?? 0) > 0);
  return new Set([...seers.flat().map(({ user }) => user.id), ...readers.map(({ id }) => id)]);
}

/** Files as records; `kinds` are those of the records that they are linked to. */
export function fileKind(kinds: RecordKinds): RecordKind {
  return {
    async load(ctx, id) {
      const seesLink = seesLinkAmong(kinds)(ctx);
      const file = await loadFile(ctx, id, seesLink);
      if (!file) return undefined;
      const { name, tag_ids } = file;
      const { user } = ctx.caller;
      return {
        ...{ type: 'files', id, label: { name }, owner_ids: ownersOf(file), tag_ids: [...(tag_ids ?? [])] },
        // Who sees it other than by a share may change it.
        access: accessOf(file, user) === 'view' ? await accessThrough(file, user, seesLink) : 'edit',
      };
    },

    async seenBy(table, id, users) {
      const file = await table.get<File>(keys.record('files', id));
      if (!isThere(file)) return [];
      const through =
        file.visibility === 'linked' ? await seenThroughLinks(table, kinds, file, users) : new Set();
      return users.filter((user) => accessOf(file, user, through.has(user.id))).map((user) => ({ user }));
    },
  };
}
