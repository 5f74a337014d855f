migrate((app) => {
  const users = app.findCollectionByNameOrId("users");
  const ann = new Record(users);
  ann.setEmail("ann@shop.example");
  ann.setPassword("sesame-1961");
  app.save(ann);
  const own = "owner = @request.auth.id";
  app.save(
    new Collection({
      type: "base",
      name: "notes",
      listRule: own,
      viewRule: own,
      createRule: '@request.auth.id != "" && owner = @request.auth.id',
      fields: [
        { type: "text", name: "title", required: true, max: 40 },
        { type: "relation", name: "owner", collectionId: users.id, required: true },
      ],
    }),
  );
});
