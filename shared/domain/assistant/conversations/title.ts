const MAX = 80;

/** The title of a conversation after its first question: its first words, 80 characters at most. */
export function titleOf(question: string): string {
  const line = question.trim().replace(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= MAX) return line;
  const beginning = characters.slice(0, MAX + 1).join('');
  const end = beginning.lastIndexOf(' ');
  // A very long word, or a script without spaces.
  return end > 0 ? beginning.slice(0, end) : characters.slice(0, MAX).join('');
}
