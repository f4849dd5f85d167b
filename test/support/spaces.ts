import type { SpaceRecord } from '#shared/domain/crm/spaces/space.ts';
import type { TestUser } from './workspace.ts';

let made = 0;

export async function givenSpace({ api }: TestUser, draft: object = {}): Promise<SpaceRecord> {
  made += 1;
  const space = { name: `Space ${made}`, kind: 'records' as const, ...draft };
  return (await api.createSpace({ body: { space } })).body.space;
}

export const readSpace = async ({ reader }: TestUser, id: string) =>
  (await reader.retrieveSpace({ params: { id } })).body.space;

export const spacesOf = async ({ reader }: TestUser) => (await reader.listSpaces()).body.collection.records;

type Member = { contact_id: string } | { organization_id: string };

export const join = async ({ api }: TestUser, space_id: string, member: Member) =>
  (await api.createSpaceMembership({ params: { space_id }, body: member })).body.membership;
