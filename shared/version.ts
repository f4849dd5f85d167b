/** Of this release; a test compares it with package.json, which no bundle contains. */
export const VERSION = '0.1.0';

/** Of the interface, in its description: whichever release offers it. */
export const INTERFACE_VERSION = '1.0.0';
