/** The automatic agents of an account (docs/specification/assistant.md, "Agents"). All of them always exist. */

interface Agent {
  name: string;
  /** What it does, for people. */
  description: string;
}

export const agents = {
  auto_tag: {
    name: 'Tagging',
    description: 'Puts tags on threads by what they are about. It uses only tags that allow it.',
  },
  auto_task: {
    name: 'Tasks',
    description: 'Finds what was promised or asked for in mail, and makes tasks of it.',
  },
  auto_summarize: {
    name: 'Summaries',
    description: 'Sums up threads: a sentence for lists, and a longer summary. The mode makes no difference.',
  },
  auto_deal: {
    name: 'Deals',
    description: 'Notices new business in mail, and moves deals on when mail says so.',
  },
  auto_enrich: {
    name: 'Enrichment',
    description: 'Completes contacts and organizations with what their mail tells about them.',
  },
  auto_meeting: {
    name: 'Meetings',
    description:
      'Writes down what came of meetings, from their transcripts, and proposes tasks. The mode makes no difference.',
  },
} as const satisfies Record<string, Agent>;

export type AgentSlug = keyof typeof agents;

export const agentSlugs = Object.keys(agents) as AgentSlug[];

export function isAgentSlug(slug: string): slug is AgentSlug {
  return Object.hasOwn(agents, slug);
}
