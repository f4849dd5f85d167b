/** Lines as one, with commas between them. Text of others may have any length: no expression goes back in it. */
export const inOneLine = (text: string): string =>
  text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ');
