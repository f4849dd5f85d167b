import * as z from 'zod';
import { imageChoices } from './images.ts';

/** Apart from what shows images, so that workers are without its description. */
export const imagesParameter = z.enum(imageChoices).optional().meta({
  description:
    'External images in the HTML of mails. blocked (the default): none loads; data-blocked-src contains the address of each, and a client may restore it as src when its user wants images. direct: as sent. Images of the mail itself show in both cases',
});
