import type { ImapFlow, ListResponse } from 'imapflow';
import type { FolderRole, ServedFolder } from '#shared/domain/mail/servers/server.ts';
import { roleByName } from './folder-names.ts';

/** The folders of a mailbox that hold messages, with what they are for. */

const ROLES: Readonly<Record<string, FolderRole>> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Trash': 'trash',
  '\\Junk': 'spam',
  '\\Archive': 'archive',
};

/** They show messages of other folders: of special use by RFC 6154, and as Gmail has them. */
const VIEWS = ['\\All', '\\Flagged', '\\Important'];

/** Only the server knows that a folder is a view: by its name alone, "All mail" may be somebody's own. */
const isView = ({ flags }: ListResponse) => VIEWS.some((view) => flags.has(view));

const roleOf = (listed: ListResponse): FolderRole | null =>
  isView(listed) ? 'all' : (ROLES[listed.specialUse ?? ''] ?? null);

const holdsMessages = ({ flags }: ListResponse) => !flags.has('\\Noselect') && !flags.has('\\NonExistent');

interface Node {
  value?: unknown;
}

/** What imapflow uses itself for its commands, and does not describe. */
interface Commands {
  exec(
    command: string,
    attributes: unknown[],
    options: { untagged: Record<string, (untagged: { attributes?: unknown[] }) => Promise<void>> },
  ): Promise<{ next(): void }>;
}

const textOf = (node: unknown): string => String((node as Node | null)?.value ?? '');

/** The items of a STATUS answer: `name value name value`, where the value of MAILBOXID is a list. */
function mailboxIdIn(items: unknown): string | undefined {
  if (!Array.isArray(items)) return undefined;
  const at = items.findIndex((item, i) => i % 2 === 0 && textOf(item).toUpperCase() === 'MAILBOXID');
  const value = at < 0 ? undefined : items[at + 1];
  return textOf(Array.isArray(value) ? value[0] : value) || undefined;
}

/** By path as the server writes it. All in one command (RFC 8474, RFC 5819); none where the server cannot do that. */
async function mailboxIds(client: ImapFlow): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  if (!client.capabilities.has('OBJECTID') || !client.capabilities.has('LIST-STATUS')) return ids;
  const atom = (value: string) => ({ type: 'ATOM', value });
  const returning = [atom('STATUS'), [atom('MAILBOXID')]];
  const { next } = await (client as unknown as Commands).exec(
    'LIST',
    [{ type: 'STRING', value: '' }, { type: 'STRING', value: '*' }, atom('RETURN'), returning],
    {
      untagged: {
        STATUS: async ({ attributes = [] }) => {
          const id = mailboxIdIn(attributes[1]);
          if (id !== undefined) ids.set(textOf(attributes[0]), id);
        },
      },
    },
  );
  next();
  return ids;
}

/**
 * What folders are for, as the server says, or else their names. imapflow knows those of most languages; ours count where it
 * finds none.
 */
function rolesIn(listed: ListResponse[]): (FolderRole | null)[] {
  const known = listed.map(roleOf);
  return listed.map(({ name }, i) => {
    const byName = known[i] === null ? roleByName(name) : null;
    return known[i] ?? (known.includes(byName) ? null : byName);
  });
}

export async function foldersOf(client: ImapFlow): Promise<ServedFolder[]> {
  const listed = (await client.list()).filter(holdsMessages);
  const ids = await mailboxIds(client);
  const roles = rolesIn(listed);
  const folders = listed.map(
    (each, i): ServedFolder => ({
      path: each.path,
      role: roles[i] ?? null,
      server_id: ids.get(each.pathAsListed) ?? null,
    }),
  );
  // Names in broken UTF-7 may be read as those of other folders.
  return [...new Map(folders.map((each) => [each.path, each])).values()];
}
