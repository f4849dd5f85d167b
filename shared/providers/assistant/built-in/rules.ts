import { changes } from './rules/changes.ts';
import { impossible } from './rules/impossible.ts';
import type { Rule } from './rules/patterns.ts';
import { questions } from './rules/questions.ts';

/** Classifies questions: the first matching pattern decides. */
export const rules: readonly Rule[] = [...changes, ...impossible, ...questions];
