import { describe, expect, it } from 'vitest';
import { sentencesOf } from '#shared/providers/assistant/built-in/sentences.ts';

/** The author's own sentences of a mail: no quotes, no attributions, no patches. */
describe('the sentences of a mail', () => {
  it.each([
    [
      'an answer between quotes, as on mailing lists',
      "On Tue, 17 Nov 2009 23:35:30 +0100, Jan Janak <jan at ryngle.com> wrote:\n> Have you considered\n> a list?\n\nGood idea. I'll drop them a mail.\n\n> Really?\n\nYes.\n\n-Carl",
      ['Good idea.', "I'll drop them a mail.", 'Yes.'],
    ],
    [
      'an attribution that is broken into lines',
      'Sure.\n\nOn Tue, 17 Nov 2009 23:35:30 +0100,\nJan Janak <jan@ryngle.example>\nwrote:\n> Shall I?',
      ['Sure.'],
    ],
    [
      'an attribution in another language',
      'Ja.\n\nAm 17.11.2009 um 23:35 schrieb Jan:\n> Soll ich?',
      ['Ja.'],
    ],
    ['an attribution whose quote was split off', 'Fine.\n\nOn Tuesday, Jan wrote:', ['Fine.']],
    [
      'what announces a quote and is no attribution',
      'The letter says the following:\n> It is blue.\n\nI doubt it.',
      ['The letter says the following:', 'I doubt it.'],
    ],
    [
      'a patch',
      'This stores the result.\n---\n Makefile | 4 ++--\n\ndiff --git a/Makefile b/Makefile\n--- a/Makefile\n+++ b/Makefile\n+What is this?',
      ['This stores the result.'],
    ],
  ])('%s', (_, text, sentences) => {
    expect(sentencesOf(text, 'Carl Worth')).toEqual(sentences);
  });
});
