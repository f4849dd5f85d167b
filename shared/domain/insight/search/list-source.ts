import { begun } from '#shared/begun.ts';
import type { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { Candidate, Source } from './kind.ts';

/** Of one word, records that are read rather than looked for in the lists of another word (platform/postings). */
export const FEW = 50;

/** Candidates that posting lists name, in the order of these. */
export function listSource<P extends Posting>(
  found: Conjunction<P>,
  { exact, candidateOf }: { exact: boolean; candidateOf(posting: P): Candidate },
): Source {
  let ahead: Promise<void> | undefined;
  return {
    exact,
    begin() {
      ahead ??= begun(found.readAhead());
    },
    async next() {
      await ahead;
      const listed = await found.nextCandidate();
      if (!listed) return undefined;
      const candidate = candidateOf(listed.posting);
      return listed.isSure ? candidate : { ...candidate, exact: false, is_guess: true };
    },
  };
}
