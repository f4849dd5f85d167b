import type { DemoUserKey } from './people.ts';
import type { Workspace } from './workspace.ts';

export interface DemoDeal {
  name: string;
  by: DemoUserKey;
  /** In the default pipeline. */
  stage: string;
  amount: number;
  /** What it became worth later. */
  raised_to?: number;
  /** Days from today. */
  closes_in: number;
  assigned?: DemoUserKey;
  organization_name?: string;
  /** The person who decides. */
  contact_name?: string;
  lost_reason?: string;
  custom_fields?: Readonly<Record<string, string | number | boolean>>;
  shared_with?: DemoUserKey;
  comment?: { author: DemoUserKey; html_content: string };
}

const DAY = 86_400_000;

/** What people of one account hope to sell. */
export async function addDeals(workspace: Workspace, deals: readonly DemoDeal[], now: Date): Promise<void> {
  const { pipelines } = (await workspace.api(workspace.owner).listPipelines()).body;
  const stages = pipelines.find((pipeline) => pipeline.default)?.stages ?? [];
  for (const deal of deals) {
    const { name, by, amount, lost_reason, assigned, organization_name, contact_name } = deal;
    const { api } = workspace.user(by);
    const draft = {
      ...{ name, amount, stage_id: stages.find((stage) => stage.name === deal.stage)?.id },
      expected_close_on: new Date(now.getTime() + deal.closes_in * DAY).toISOString().slice(0, 10),
      ...(lost_reason ? { lost_reason } : {}),
      ...(deal.custom_fields ? { custom_fields: { ...deal.custom_fields } } : {}),
      ...(assigned ? { assigned_user_id: workspace.user(assigned).id } : {}),
      ...(organization_name ? { organization_id: workspace.organization(organization_name) } : {}),
      ...(contact_name
        ? { contacts: [{ id: workspace.contact(contact_name), role: 'decision maker' }] }
        : {}),
    };
    const { id } = (await api.createDeal({ body: { deal: draft } })).body.deal;
    if (deal.raised_to) await api.updateDeal({ params: { id }, body: { deal: { amount: deal.raised_to } } });
    const params = { record_type: 'deals' as const, record_id: id };
    if (deal.shared_with) {
      const { id: user_id } = workspace.user(deal.shared_with);
      await api.createShare({ params, body: { share: { user_id } } });
    }
    if (deal.comment) {
      const { author, html_content } = deal.comment;
      await workspace.api(author).createComment({ params, body: { comment: { html_content } } });
    }
  }
}
