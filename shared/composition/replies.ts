import { readSurroundings } from '#shared/domain/assistant/answering/surroundings.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';

/** The records and proposals that replies of the assistant refer to. */
export const replies: ShowsReplies = { readSurroundings };
