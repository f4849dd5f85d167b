import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { countThreadsOf, interactionsWith } from '#shared/domain/mail/threads/interactions.ts';

/** What users see of people's mail. */
export const interactions: KnowsInteractions = { interactionsWith, countThreadsOf };
