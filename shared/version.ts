/** Of this release; a test compares it with package.json, which no bundle contains. */
export const VERSION = '0.1.0';
