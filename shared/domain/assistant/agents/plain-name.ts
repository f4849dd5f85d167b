/** The name that a model gave to what it found, in one line, in the form that names of records have. */
export const plainName = (found: string, most: number): string =>
  [...found.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()].slice(0, most).join('');
