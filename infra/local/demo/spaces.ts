import type { DemoUserKey } from './people.ts';
import type { Ids, Workspace } from './workspace.ts';

export interface DemoSpace {
  name: string;
  by: DemoUserKey;
  icon: string;
  /** One of tags has their names; one of records its members. */
  tags?: readonly string[];
  contact_names?: readonly string[];
  organization_names?: readonly string[];
  comment?: { author: DemoUserKey; html_content: string };
  shared_with?: DemoUserKey;
}

/** What people of one account gather. After the contacts and organizations, and before the tasks. */
export async function addSpaces(
  workspace: Workspace,
  spaces: readonly DemoSpace[],
  tags: Ids,
): Promise<void> {
  for (const space of spaces) {
    const { name, by, icon, contact_names = [], organization_names = [] } = space;
    const { api } = workspace.user(by);
    const made = space.tags
      ? { kind: 'tags' as const, tag_ids: space.tags.map((tag) => tags.get(tag) as string) }
      : { kind: 'records' as const };
    const visibility = space.shared_with ? ('private' as const) : ('account' as const);
    const { id } = (await api.createSpace({ body: { space: { name, icon, visibility, ...made } } })).body
      .space;
    workspace.spaces.set(name, id);
    const members = [
      ...contact_names.map((each) => ({ contact_id: workspace.contact(each) })),
      ...organization_names.map((each) => ({ organization_id: workspace.organization(each) })),
    ];
    for (const body of members) await api.createSpaceMembership({ params: { space_id: id }, body });
    const params = { record_type: 'spaces' as const, record_id: id };
    if (space.shared_with) {
      const { id: user_id } = workspace.user(space.shared_with);
      await api.createShare({ params, body: { share: { user_id } } });
    }
    if (!space.comment) continue;
    const { author, html_content } = space.comment;
    await workspace.api(author).createComment({ params, body: { comment: { html_content } } });
  }
}
