/** The order of words: that of their bytes in UTF-8, as of sort keys (JavaScript compares by UTF-16). */
export const compareWords = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
