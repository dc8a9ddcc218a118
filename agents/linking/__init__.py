"""What a question names: KG-Linker with a model, the entity index without one."""
