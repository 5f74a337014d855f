// A part of a tRPC server. trpc-client.ts imports its type only, so none of this runs in a test.
import { initTRPC, TRPCError } from "@trpc/server";

interface Product {
  readonly id: number;
  readonly name: string;
}

/** The shop's procedures, over its products. */
export function createShopRouter(products: readonly Product[]) {
  const { router, procedure } = initTRPC.create();
  return router({
    product: router({
      list: procedure.input(Number).query(({ input }) => products.slice((input - 1) * 10, input * 10)),
      byId: procedure.input(Number).query(({ input }) => {
        const product = products.find(({ id }) => id === input);
        if (!product) throw new TRPCError({ code: "NOT_FOUND" });
        return product;
      }),
    }),
  });
}

export type ShopRouter = ReturnType<typeof createShopRouter>;
