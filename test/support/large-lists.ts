import type { Proposal } from '#shared/domain/assistant/proposals/proposal.ts';
import { proposalWrites } from '#shared/domain/assistant/proposals/store.ts';
import { newCredential } from '#shared/domain/identity/credentials/issue.ts';
import { secretHint } from '#shared/domain/identity/credentials/secret.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem } from '#shared/table/table.ts';
import { ESCAPED, many, sharesWithMany, WIDE, write } from './large-data.ts';
import { givenContact, givenProposal } from './proposals.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** The largest lists that only many users together, or a deployment, can create. */

/** Mailboxes of others that the user has access to; the first `shared` of them are shared with the maximum of users. */
export async function givenMailboxes(
  workspace: Workspace,
  { user }: TestUser,
  { count, shared }: { count: number; shared: number },
): Promise<string[]> {
  const { account_id } = user;
  const mailboxes = many(count, (i) => {
    const id = newId(new Date());
    return {
      ...keys.mailbox(account_id, id),
      ...{ id, account_id, user_id: newId(new Date()), provider: 'import', status: 'active' },
      name: WIDE.repeat(255),
      email_address: `${i}-${'a'.repeat(50)}@acme.example`,
      aliases: many(10, (j) => `${i}-${j}-${'b'.repeat(50)}@acme.example`),
      label_sync: false,
      shares: i < shared ? sharesWithMany({ type: 'mailboxes', id }) : {},
      ...{ messages_imported: 0, messages_failed: 0, updated_at: null },
      created_at: new Date().toISOString(),
    };
  });
  await write(workspace, mailboxes);
  const ids = mailboxes.map(({ id }) => id);
  await workspace.table.update<User>(keys.user(account_id, user.id), {
    set: {
      mailboxes: Object.fromEntries(ids.map((id) => [id, 'view'])),
      indexed_mailboxes: Object.fromEntries(ids.map((id) => [id, true])),
    },
  });
  return ids;
}

/** API keys of many users, a hundred of each. */
export async function givenApiKeys(workspace: Workspace, users: number): Promise<void> {
  const { account_id } = workspace;
  const now = new Date();
  const name = WIDE.repeat(255);
  const items = many(users, () => newId(now)).flatMap((user_id) =>
    many(100, (): AnyItem[] => {
      const draft = { account_id, user_id, tier: 'read' as const, expires_at: now };
      const { credential, secret, hash } = newCredential({ ...draft, kind: 'api_key' }, now);
      const { id } = credential;
      const shown = { id, name, prefix: secretHint(secret), hash, created_at: now.toISOString() };
      const row = { ...keys.apiKeyRow(account_id, id), ...draft, ...shown, expires_at: now.toISOString() };
      return [{ ...credential, used_at: now.toISOString() }, row];
    }).flat(),
  );
  await write(workspace, items);
}

/** Values of a contact with the largest display, within the 32 kB of a proposal's parameters. */
const textOf = (character: string) => character.repeat(255);
const fieldsOf = (character: string) => ({
  ...{ name: textOf(character), first_name: textOf(character), last_name: textOf(character) },
  ...{ nickname: textOf(character), headline: textOf(character) },
  description: ESCAPED.repeat(character === WIDE ? 2_000 : 1_999),
  avatar_url: `https://acme.example/${character === WIDE ? 'a' : 'b'}${'c'.repeat(2_000)}`,
  ...{ addresses: [{ street: textOf(character) }], employments: [{ title: textOf(character) }] },
});

/** The longest reason of a rejection: characters of six bytes in JSON. */
export const REASON = `a${ESCAPED.repeat(19_999)}`;

/** Rejected proposals of the largest content: `count` copies of one. Returns their ids. */
export async function givenRejected(workspace: Workspace, of: TestUser, count: number): Promise<string[]> {
  const { id: record_id } = await givenContact(of, fieldsOf('語'));
  const params = { record_id, ...fieldsOf(WIDE) };
  const rationale = ESCAPED.repeat(2_000);
  const first = await givenProposal(workspace, of, { action_type: 'contact.update', params, rationale });
  const body = { reason: REASON };
  await of.api.rejectProposal({ params: { proposal_id: first.id }, body });
  const rejected = await workspace.table.get<Proposal>(keys.proposal(first.id));
  const copies = many(count - 1, (): Proposal => {
    const id = newId(new Date());
    return { ...(rejected as Proposal), ...keys.proposal(id), id };
  });
  const items = copies.flatMap((copy) => proposalWrites(copy)).map((each) => (each as { put: AnyItem }).put);
  await write(workspace, items);
  return [first.id, ...copies.map(({ id }) => id)];
}
